"""Word-processor files (.docx): the text as it would be printed, without what is hidden in it."""
