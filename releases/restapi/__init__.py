"""The public downloads REST API, in the words and shapes that existing clients parse."""
