"""What langgraph.json points at."""
