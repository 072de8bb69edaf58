"""A lab's diagrams and plots as pictures: scenes filled with their numbers, and charts, drawn without a browser."""
