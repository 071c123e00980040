"""Diagrams of a game: what is drawn, and how it is written as Mermaid, DOT or SVG."""
