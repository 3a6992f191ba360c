"""One JSON object a line, for an installation whose logs are read by a machine."""

import json
import logging
from datetime import UTC, datetime


class JsonFormatter(logging.Formatter):
    """Time, level, logger, message, and the traceback where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
