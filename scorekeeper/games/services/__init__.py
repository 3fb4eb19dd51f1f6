"""Write to games. One public function is one use case and one transaction."""
