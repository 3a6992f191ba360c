"""Product, series, release, file; upload; package, repository, publication; key, alarm; mirror."""

from releases.models.advisory import (
    Advisory,
    AdvisoryDocument,
    AdvisoryRevision,
    AffectedRange,
    EarlyNotice,
)
from releases.models.alarm import Alarm
from releases.models.alias import Alias, AliasPast
from releases.models.checklist import ChecklistItem
from releases.models.collection import Collection
from releases.models.download import DownloadBatch, DownloadCount
from releases.models.file import Blob, File
from releases.models.index import Index, IndexBuild
from releases.models.key import SigningKey
from releases.models.mirror import Mirror, Part, Probe, Sighting
from releases.models.package import Package
from releases.models.product import Product
from releases.models.reading import Reading
from releases.models.release import Release
from releases.models.repository import IndexFile, Membership, Publication, Repository
from releases.models.series import Series
from releases.models.setup_script import SetupScript
from releases.models.upload import Upload

__all__ = [
    "Advisory",
    "AdvisoryDocument",
    "AdvisoryRevision",
    "AffectedRange",
    "Alarm",
    "Alias",
    "AliasPast",
    "Blob",
    "ChecklistItem",
    "Collection",
    "DownloadBatch",
    "DownloadCount",
    "EarlyNotice",
    "File",
    "Index",
    "IndexBuild",
    "IndexFile",
    "Membership",
    "Mirror",
    "Package",
    "Part",
    "Probe",
    "Product",
    "Publication",
    "Reading",
    "Release",
    "Repository",
    "Series",
    "SetupScript",
    "Sighting",
    "SigningKey",
    "Upload",
]
