"""Words by which people and agents mark decisions, rejections, open points and next steps, as data.

Each table maps a language to patterns; a sentence is tried against all of them, because people mix languages.
Cues are chosen for precision: a sentence that is missed costs less than one that says what nobody said.
"""

import re
from enum import StrEnum


class Label(StrEnum):
    """What a labelled line or heading such as "Next steps:" announces."""

    DECISION = "decision"
    REJECTED = "rejected"
    QUESTION = "question"
    NEXT = "next"
    DONE = "done"
    OTHER = "other"


# What a person writes when settling something. Matched anywhere in a sentence of a prompt.
_PERSON_DECIDES: dict[str, str] = {
    "en": r"\bfrom now on\b|^(?:one |my |our |the )?decision\b[^?:\"]{0,30}:"
    r"|\b(?:we|i)(?:'ve| have)? (?:decided|agreed|settled)\b"
    r"|\blet'?s (?:go|stick) with\b|\b(?:go|going|stick) with (?:option|approach|the|a|an|\d)"
    # Told of how things are, "instead of" settles nothing.
    r"|^\W*(?!(?:the|this|that|these|those|it|there|each|every|currently|right now|when|because|since)\b)"
    r".{0,160}\b(?:instead of|rather than)\b"
    r"|\b(?:should|must|want|needs?|please|let'?s)\b.{0,160}\b(?:instead of|rather than)\b"
    r"|\b(?:do not|don'?t|never) (?!(?:do|change|write|edit) anything)(?:use|add|touch|change|rely|put|create|introduce"
    r"|commit|push|log|store|write|edit|run|stash|remove|delete|rename|modify|mock|skip|import|install|hard-?code|print)\b"
    r"|\b(?:always|never) (?:use|run|prefer|keep|write|put|add|commit|call|return|store|log|push)\b"
    r"|\bi(?:'d| would)? prefer\b"
    r"|\buse \S+(?: \S+){0,4},? not \S+|\bwe (?:should|must|will) (?:always|never|only|not)\b"
    r"|\bshould be the (?:source of truth|default)\b"
    r"|\blet'?s (?:implement|do|take|use|keep|drop|remove) (?:option|approach|variant|number)\b"
    r"|\blet'?s (?:just )?(?:remove|drop|keep|rename|skip|leave|get rid of|stick to|standardi[sz]e on)\b"
    r"|\b(?:i|we) (?:always|only|never) (?:want|need|use)\b|\b(?:i|we) (?:would )?only want\b"
    r"|\bthe (?:code|test|spec|design|plan|implementation) is (?:right|correct|wrong|fine)\b"
    r"|\bthe only way to\b.{3,80}\bis\b",
    "pt": r"\ba partir de agora\b|\bdecid(?:imos|i|ido)\b|^decis[ãa]o\s*:|\bvamos (?:usar|com|ficar com)\b"
    r"|\bem vez de\b|\bao inv[ée]s de\b"
    r"|\bn[ãa]o us(?:e|ar|em)\b|\b(?:sempre|nunca) us(?:e|ar)\b|\bprefiro\b",
    "es": r"\ba partir de ahora\b|\b(?:hemos decidido|decidimos|he decidido|decid[íi])\b|^decisi[óo]n\s*:"
    r"|\bvamos (?:a usar|con)\b"
    r"|\ben (?:vez|lugar) de\b|\bno us(?:es|ar|emos)\b|\b(?:siempre|nunca) us(?:a|es|ar)\b|\bprefiero\b",
    "de": r"\bab (?:jetzt|sofort)\b|\b(?:wir haben|ich habe) (?:uns |mich )?entschieden\b"
    r"|^(?:entscheidung|beschluss)\s*:"
    r"|\b(?:wir nehmen|nehmen wir|wir bleiben bei)\b|\banstatt\b|\bstatt (?!dessen\b)\w+"
    r"|\b(?:immer|nie|niemals|keinesfalls) \w+(?:en|e)\b"
    r"|\bkein(?:e|en)? \w+ (?:verwenden|benutzen|nutzen)\b|\bnicht (?:verwenden|benutzen|nutzen)\b"
    r"|\bich (?:bevorzuge|würde lieber)\b",
    "fr": r"\b(?:désormais|dorénavant|à partir de maintenant)\b|\b(?:on a|nous avons|j'ai) décidé\b"
    r"|^décision\s*:|\bau lieu d[e']"
    r"|\bplutôt que\b|\bn['e]\s?(?:utilise|utilisez|utilisons)\S* (?:pas|jamais|plus)\b"
    r"|\b(?:toujours|jamais) utiliser\b|\bje préfère\b"
    r"|\b(?:on garde|on prend|partons sur)\b",
    "zh": r"从现在起|从今以后|以后(?:都|一律)|决定(?:用|使用|采用|不)|决定[:\uff1a]|我们(?:采用|改用|选择)"
    r"|而不是|不要(?:用|使用|改|动|再)|一律(?:用|使用)|始终使用"
    r"|统一使用|優先|优先使用",
    "ja": r"今後は|これからは|ことに(?:した|しました|します|決め)|決定[:\uff1a事]|方針[:\uff1a]|の代わりに"
    r"|ではなく|(?:使わない|変更しない)(?:で|よう|こと)"
    r"|必ず.{0,20}(?:使|して)|を採用",
}

# What an agent writes when reporting a choice. Stricter, for agents explain more than they decide.
_AGENT_DECIDES: dict[str, str] = {
    "en": r"^(?:so )?(?:i|we)(?:'ve| have)? (?:decided|chose|chosen|opted|settled|agreed|went with|kept"
    r"|picked)\b|\bdecided (?:to|against|on)\b"
    r"|\bwent with\b|\bopted (?:for|to)\b|\b(?:is|are) (?:now )?always (?:a|an|the)\b.{0,60}\bnever\b"
    r"|\bkept .{1,60}\b(?:because|so that|since)\b"
    r"|\b(?:i|we) (?:used|use|added|put|moved|replaced) .{1,80}\b(?:instead of|rather than)\b",
    "pt": r"\b(?:decidi|optei por|escolhi|decidimos|optamos por)\b",
    "es": r"\b(?:decidí|opté por|elegí|decidimos|optamos por|hemos decidido)\b",
    "de": r"\b(?:habe|haben) (?:mich|uns) (?:für|gegen)\b.{0,80}\bentschieden\b"
    r"|\b(?:ich|wir) (?:habe|haben) .{0,60}\b(?:gewählt|beibehalten)\b",
    "fr": r"\b(?:j'ai|nous avons|on a) (?:choisi|décidé|opté|retenu|gardé)\b",
    "zh": r"(?:我|我们)?(?:决定|选择了|最终采用|改为使用)",
    "ja": r"(?:を採用しました|ことにしました|を選びました|に決めました)",
}

# What was tried or weighed and dropped.
_REJECTS: dict[str, str] = {
    "en": r"\b(?:did(?:n'?t| not)|does(?:n'?t| not)) (?:work|help|fix)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:rejected|abandoned|discarded|ruled out|backed out)\b"
    r"|\b(?:rejected|abandoned|discarded|ruled out) (?:the|this|that|an?) (?:\w+ )?(?:idea|approach|option"
    r"|alternative|plan|fix)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:reverted|rolled back|undid|dropped)\b|\bnot an option\b"
    r"|\bdecided against\b|\bdead end\b"
    r"|\bmy (?:first|initial|earlier|previous) (?:version|attempt|approach|try|fix|idea) \w+"
    r"|\b(?:i|we) (?:first )?tried .{3,80}\bbut\b"
    r"|\b(?:that|this|it) (?:won'?t|will not|can'?t|cannot) work\b"
    r"|\btoo (?:slow|fragile|risky|complex|complicated) to\b",
    "pt": r"\bn[ãa]o (?:funcionou|funciona|resolveu)\b|\b(?:descart|rejeit|abandon)(?:ei|amos|ad[oa])\b"
    r"|\brevert(?:i|emos)\b|\btentei .{3,80}\bmas\b",
    "es": r"\bno (?:funcionó|funciona|sirvió)\b|\b(?:descart|rechac|rechaz|abandon)(?:é|amos|ad[oa])\b"
    r"|\brevertí\b|\bprobé .{3,80}\bpero\b",
    "de": r"\b(?:hat|haben) nicht (?:funktioniert|geholfen)\b|\bfunktionier(?:t|te) nicht\b"
    r"|\b(?:verworfen|abgelehnt|rückgängig gemacht)\b"
    r"|\bversucht\b.{0,80}\baber\b",
    "fr": r"\bn'a pas (?:fonctionné|marché|aidé)\b|\bne (?:fonctionne|marche) pas\b"
    r"|\b(?:rejeté|abandonné|écarté|annulé)e?s?\b|\bessayé .{3,80}\bmais\b",
    "zh": r"不起作用|没有效果|行不通|放弃了?|否决|排除了|已(?:撤销|回滚|还原)|试过.{2,60}但",
    "ja": r"うまくいか(?:なかった|ない|ず)|機能しな(?:かった|い)|却下|断念|取りやめ|元に戻し|試し(?:た|ました)が",
}

# How a person sends work back.
_PERSON_REJECTS: dict[str, str] = {
    "en": r"\b(?:revert|undo|roll back|back out|scrap|throw away) (?:that|this|it|the|those|your)\b"
    r"|\bnot what i (?:asked|wanted|meant)\b"
    r"|\b(?:that|this)(?: approach| idea)? (?:is|was|'s) (?:wrong|too \w+|overkill|not what)\b",
    "pt": r"\b(?:reverta|desfaça) (?:isso|isto)\b|\bnão era isso\b",
    "es": r"\b(?:revierte|deshaz) (?:eso|esto)\b|\bno es lo que (?:pedí|quería)\b",
    "de": r"\bmach (?:das|es) rückgängig\b|\bnicht das,? was ich\b",
    "fr": r"\bannule (?:ça|cela)\b|\bpas ce que (?:je voulais|j'ai demandé)\b",
    "zh": r"(?:撤销|回滚|还原)(?:这|那|掉)|不是我要的",
    "ja": r"元に戻して|取り消して|そうではなく",
}

# A report's sentence that leaves something to the person without a question mark.
_LEAVES_OPEN: dict[str, str] = {
    "en": r"^(?:say|let me know|tell me|please (?:confirm|decide)) (?:whether|which|if|how|what)\b"
    r"|\b(?:still|remains?) (?:open|unclear|undecided)\b"
    r"|\bneeds? (?:a|your) decision\b|\bnot (?:sure|clear) (?:whether|if|why)\b|\bto be decided\b|\bTBD\b",
    "pt": r"\b(?:falta decidir|em aberto|ainda não está claro|diga se)\b",
    "es": r"\b(?:queda por decidir|pendiente de decidir|no está claro|dime si)\b",
    "de": r"\b(?:noch offen|ungeklärt|noch unklar|muss noch entschieden werden|sag(?:e|t)? (?:mir )?,? ob)\b",
    "fr": r"\b(?:reste à décider|pas clair|encore ouvert|dites?-moi si)\b",
    "zh": r"尚未决定|有待确认|仍不清楚|待定|请确认是否|请告诉我是否",
    "ja": r"未決定|未定|要確認|不明です|教えてください|ご確認ください",
}

# A report's sentence about what is not done.
_LEFT_TO_DO: dict[str, str] = {
    "en": r"\b(?:still (?:fails?|failing|needs?|missing|to do)|not (?:yet )?(?:done|implemented|started"
    r"|committed|covered|wired|handled) (?:yet|so far)?"
    r"|(?:is|are) (?:left|still missing|not yet)|remains? to be|left to do"
    r"|next (?:i|we|you) (?:should|need|can|would)|the next step is)\b",
    "pt": r"\b(?:falta|ainda falta|ainda não|próximo passo)\b",
    "es": r"\b(?:falta por|todavía no|aún no|el siguiente paso)\b",
    "de": r"\b(?:noch nicht|fehlt noch|steht noch aus|der nächste schritt|bleibt zu tun)\b",
    "fr": r"\b(?:reste à (?!décider)|pas encore|la prochaine étape|il manque)\b",
    "zh": r"还没有?|尚未(?!决定)|还需要|剩下的|下一步",
    "ja": r"まだ.{0,20}(?:ない|ません)|残って(?:いる|います)|次は|未対応|未実装",
}

_LABELS: dict[Label, str] = {
    Label.DECISION: r"decisions?(?: made)?|decis(?:ão|ões)|decisi(?:ón|ones)|entscheidung(?:en)?"
    r"|beschl(?:uss|üsse)|décisions?|决定|決定(?:事項)?|方針",
    Label.REJECTED: r"rejected(?: \w+)?|alternatives? (?:considered|rejected)|not chosen|rejeitad[oa]s?"
    r"|rechazad[oa]s?|verworfen|rejetée?s?|已否决|却下",
    Label.QUESTION: r"(?:open |unresolved |remaining )?questions?(?: for you)?|still open"
    r"|open(?: points?| issues?)?|perguntas?(?: em aberto)?|em aberto"
    r"|preguntas?(?: abiertas?)?|pendiente de decidir|offene (?:fragen?|punkte)|(?:noch )?offen"
    r"|questions? (?:ouvertes?|en suspens)|未解決(?:事項)?"
    r"|(?:待定|未决|开放|待确认)(?:的)?(?:问题)?|問題点|質問|要確認",
    Label.NEXT: r"next(?: steps?| up)?"
    r"|(?:what'?s |what is )?(?:left|remaining)(?: to do| work| tasks?| steps?| items?)?"
    r"|to-?do(?:s| list)?|follow-?ups?"
    r"|not (?:done|finished)(?: yet)?|still to do|pr[óo]xim[oa]s? (?:passos?|etapas?)|pendente"
    r"|siguientes? pasos?|pr[óo]ximos? pasos?|pendientes?"
    r"|nächste schritte?|als nächstes|noch zu tun|offene aufgaben|prochaines? étapes?|à faire|reste à faire"
    r"|下一步(?:计划)?|后续(?:步骤|工作)?|待办(?:事项)?"
    r"|次の(?:ステップ|作業)|今後の(?:作業|予定)|残(?:り|作業|タスク)",
    Label.DONE: r"done|completed|summary(?: of changes)?|(?:files? )?changed?(?:,? not committed)?"
    r"|changes(?: made)?|what (?:i|was) (?:did|done|changed)|fixed|added"
    r"|feito|hecho|erledigt|fait|完成|已完成|完了",
}

# Words of somebody who is still thinking.
HEDGE = re.compile(
    r"\b(?:wondering|what if|maybe|perhaps|consider|not sure|might|if (?:i|we|you)|anything, just"
    r"|talvez|quizás|quizá|tal vez|vielleicht|eventuell|peut-être)\b|也许|可能|かもしれ",
    re.IGNORECASE,
)

# Questions of courtesy open nothing.
COURTESY = re.compile(
    r"(?:anything|something) else"
    r"|(?:does|do) (?:that|this|it) (?:help|look (?:good|right|ok)|work for you|make sense)|how can i help"
    r"|sound good"
    r"|(?:mais|algo) (?:alguma coisa|más)|noch etwas|autre chose|还有(?:什么|其他)|他に(?:何か)?",
    re.IGNORECASE,
)

# A prompt that says nothing about the work itself.
FILLER_PROMPT = re.compile(
    r"^(?:hi|hello|hey|yo|thanks?(?: you)?|ok(?:ay)?|yes|yep|yeah|no|sure|go|go (?:on|ahead)|continue"
    r"|proceed|do it|try again|again|next|good|great|perfect"
    r"|test|ping|ol[áa]|oi|sim|não|continua[r]?|continue por favor|hola|s[íi]|contin[úu]a|sigue|hallo|ja"
    r"|nein|weiter|mach weiter|danke|bonjour|salut|oui|non"
    r"|你好|好的?|继续|是的?|こんにちは|はい|続けて(?:ください)?"
    r"|続行)(?:[\s,.!…。\uff01、]+(?:please|then|thanks|bitte))?[\s.!…。\uff01]*$",
    re.IGNORECASE,
)

# Openings of politeness that a title does without.
POLITENESS = re.compile(
    r"^(?:/[\w:-]+\s+)?(?:(?:ok(?:ay)?|so|now|hi|hello|hey|great|good|yes|yeah|please|pls|well|alright|and"
    r"|also|then|actually)"
    r"(?! now)\b[\s,.:;!-]+)*"
    r"(?:(?:can|could|would|will) (?:you|we) (?:please |also |now |maybe )?"
    r"|(?:i|we)(?:'d| would)? (?:like|want|need|suggest)(?: that)? (?:(?:you |us |we )?to |we )"
    r"|let'?s (?:please )?|please |continue\s*[:,-]\s+|bitte |könntest du |kannst du |por favor,? "
    r"|s'il (?:te|vous) plaît,? |请(?:你)?|帮我)?",
    re.IGNORECASE,
)

# A first sentence that only tells how things are; the request comes after it.
BACKGROUND = re.compile(
    r"^(?:(?:right now|currently|today|at the moment|i|we|the|this|that|these|there|it|when|in|on|after|since|so|as"
    r"|momentan|aktuell|derzeit|atualmente|hoje|actualmente|actuellement)\b|目前|现在|現在)",
    re.IGNORECASE,
)
REQUEST = re.compile(
    r"\b(?:can|could|would) (?:you|we)\b|\bplease\b|\blet'?s\b|(?<!you )\bshould\b"
    r"|\b(?:i|we)(?:'d| would)? (?:want|like|need|suggest)\b"
    r"|\b(?:bitte|kannst du|por favor|puedes|podrías|poderia|peux-tu|pourrais-tu|s'il te plaît)\b"
    r"|请|帮我|ください|してほしい",
    re.IGNORECASE,
)


def _join(table: dict[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in table.values()), re.IGNORECASE)


PERSON_DECIDES = _join(_PERSON_DECIDES)
AGENT_DECIDES = _join(_AGENT_DECIDES)
REJECTS = _join(_REJECTS)
PERSON_REJECTS = _join(_PERSON_REJECTS)
LEAVES_OPEN = _join(_LEAVES_OPEN)
LEFT_TO_DO = _join(_LEFT_TO_DO)
LABEL_RULES: tuple[tuple[Label, re.Pattern[str]], ...] = tuple(
    (label, re.compile(rf"^(?:{pattern})$", re.IGNORECASE)) for label, pattern in _LABELS.items()
)
