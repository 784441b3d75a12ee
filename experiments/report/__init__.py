"""Reports: a document as a value, written as Markdown and as one page of HTML."""
