"""What an answer is called, and the words between that and the answer, in the languages of multilingual benchmarks."""

from __future__ import annotations

_LATIN = (
    r"answer|ans|antwort|antwoord|réponse|respuesta|risposta|resposta|odpowiedź|odpověď|jawaban(?:nya)?|cevap|svar|vastaus|jibu|đáp\s+án"
    r"|câu\s+trả\s+lời"
)
_OTHER = r"答案|答え|正解|정답|ответ|відповідь|उत्तर|উত্তর|الإجابة|الجواب|คำตอบ|คําตอบ|תשובה|απάντηση"
_RIGHT = r"(?:\s+(?:correcta|corretta|correta|correcte|finale?|sahihi|đúng|yang\s+(?:benar|tepat)|الصحيحة)(?!\w)|ที่ถูกต้อง)?"
NOUN = rf"(?:\b(?:{_LATIN})\b|{_OTHER}){_RIGHT}"
"""``Answer``, ``La respuesta correcta``, ``答案``; for patterns that take any case."""
IS = (
    r"(?:(?<!\w)(?:is|ist|lautet|est|es|è|é|är|adalah|ialah|là)(?!\w)|(?<=odpowiedź\s)to(?!\w)|(?<=jibu\s)ni(?!\w)|(?<=sahihi\s)ni(?!\w)"
    r"|是|为|は|은|는|คือ|هي|هو|है(?=\s*[:：]))"
)
"""``is`` in the same languages; short words of English (``to``, ``on``) only where they follow the noun that they belong to."""
