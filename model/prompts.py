"""The fixed words of the constrained dialect.

Knows:    how to ask a small model for one action, and for an answer from facts.
Does not: know a tool, a shop or a customer; those come with the conversation.
Every text here is the same for a whole session, so that the engine's prompt cache holds.
"""

import re

YES_OR_NO = re.compile(
    r"\W*(?:yes|yeah|yep|no|nope|not|sí|si|oui|non|ja|nein|да|нет|نعم|لا|हाँ|हां|नहीं)(?!\w)", re.IGNORECASE
)
"""How a verdict begins."""

CORRECTION = "(Check of your reply"
"""How the message begins that sends a rejected reply back; see agent/prompt.py."""

NOT_YET_KNOWN = "Not yet known:"
"""How the last paragraph of the system message begins when a detail is missing; see llm.py."""

WISHED = "The customer asks for"
"""How the sentence of that paragraph begins which names what the customer asks for; see agent/prompt.py."""

ROUTE = """\
You route the messages of customers to the right action of a support desk. Read the newest message and \
write the one action that helps the customer next, as one JSON object.

Actions:
{tools}
- ask(): the customer wants something done or found out about a thing of their own, and has not said which \
one.
- reply(): a greeting, thanks, small talk, or something that has nothing to do with the actions above.

Rules:
- A general question about rules, times, costs or conditions is looked up with the action that searches.
- A question about one thing of the customer's own is looked up with the action for that thing. "It" is the \
thing that was talked about last.
- Choose an action that opens, creates or changes something only when the customer asks for that, or reports \
a problem that it is for.
- Write texts in the customer's own words.{examples}"""

ROUTE_EXAMPLES = (
    ("hello", "reply", ""),
    ("how long does this usually take?", "search", "how long does this take"),
    ("where is mine?", "ask", ""),
    ("who am I talking to?", "reply", ""),
    ("is it possible to change things later?", "search", "change things later"),
    ("mine is faulty, please do something", "ask", ""),
    ("what if something does not work?", "search", "something does not work"),
    ("are you human? say something nice", "reply", ""),
    ("has mine been sent?", "ask", ""),
    ("do you offer that in my country?", "search", "offered in my country"),
    ("what is the capital of France?", "reply", ""),
    ("please check the state of mine", "ask", ""),
    ("what are your rules on this?", "search", "rules"),
    ("thanks, that is all", "reply", ""),
    ("when will it come?", "look up", "..."),
    ("what did I pay for it?", "look up", "..."),
)
"""What a customer says, the kind of action that it calls for, and its argument.

"search" is the tool that takes one free text, "look up" the one that takes one value of the evidence.
"""

ROUTE_TOOLS = """\
You choose the one action that the newest message of somebody who runs a shop asks for, as one JSON object.

Actions:
{tools}
- ask(): something is to be shown or changed of one thing, and nobody has said which one.
- reply(): a greeting, thanks, small talk, or something that has nothing to do with the actions above.

Rules:
- A question about which things there are is answered by the action that lists them.
- A question about one thing is answered by the action for that thing. "It" is the thing that was talked \
about last.
- Choose an action that creates, changes or deletes something only when the message asks for that.
- Leave out every argument that the message says nothing of.
- Write texts in the words of the message.{examples}"""
"""For a server that has no rules to search: its tools are about things, and whoever asks is of the staff."""

ROUTE_TOOLS_EXAMPLES = (
    ("hello", "reply"),
    ("change one of them", "ask"),
    ("what is the capital of France?", "reply"),
    ("remove it", "ask"),
    ("thanks, that is all", "reply"),
)

ROUTE_RESULT = "Result: {result}"
ROUTE_RETRY_TEMPERATURE = 0.6

CHOICE = """\
A customer writes:
"{said}"

Which {argument} fits best?
{meanings}

Answer with JSON: {{"{argument}": ...}}"""

ANSWER = """\
{rules}

How to answer:
- Answer only the customer's newest question, in one or two short sentences, in the language of that question.
- If the customer asks about several things, say something about each.
- Use only what the tool results say. Copy names, dates, numbers and amounts from there exactly.
- If the tool results do not say it, answer that you do not have that information. Never guess.
- Say that something was done only when a tool result says that it was done.
- Plain text only."""

FOUND = "Tool result: {result}"
