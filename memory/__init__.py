"""What a memory is; how it is judged, changed, kept, found, compressed and guarded."""
