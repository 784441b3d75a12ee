"""Names that try to be markup, code or formulas."""

from __future__ import annotations

HOSTILE = [
    "<script>window.hurt = 1</script>",
    "<img src=x onerror='window.hurt = 1'>",
    "</script><script>window.hurt = 1</script>",
    "</title><svg onload=window.hurt=1>",
    "{{script}}",
    "javascript:alert(1)",
    '=HYPERLINK("http://evil")',
    "'; DROP TABLE view; --",
    "<!--",
    "\u202egnp.exe",
    "",
]
