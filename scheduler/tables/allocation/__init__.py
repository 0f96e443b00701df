"""What the allocator's pages say in words, tables and files."""
