"""Words that make an English question and say nothing of its subject; words of other languages are judged by rarity."""

# Only a question's own words: `no`, `not`, `off`, `all`, `new` or `go` change what is asked.
ASKING_WORDS = frozenset({
    "a", "about", "am", "an", "and", "any", "anything", "are", "as", "at", "be", "been", "being", "but", "by", "can",
    "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have", "having", "he", "her", "hers", "him",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "me", "my", "of", "on", "or", "our", "ours",
    "she", "should", "so", "some", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "us", "was", "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with",
    "would", "you", "your", "yours",
})  # fmt: skip
