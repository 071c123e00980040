"""Files: what is read and written, safely, and what is rescued from a full disk."""
