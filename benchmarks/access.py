"""Who keeps the benchmarks: their maintainers define suites and look at uploads; so may staff."""

from portal.accounts.access import role_required
from portal.accounts.roles import Role

MAINTAINERS = (Role.BENCHMARKS, Role.STAFF)
maintainer = role_required(*MAINTAINERS)
