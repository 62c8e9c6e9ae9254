"""One file per format: `read(data, guard)` → Still, `write(still)` → bytes. What is written carries no metadata but colours."""

import cv2

cv2.utils.logging.setLogLevel(
    cv2.utils.logging.LOG_LEVEL_ERROR
)  # errors are raised here; what decoders mutter about odd files is of no use to anybody
