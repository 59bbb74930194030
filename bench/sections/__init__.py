"""What is measured, a file for each family: functions of a Bench that return a table in Markdown."""
