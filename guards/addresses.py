"""Where somebody lives or can be reached, in a message: numbers there are nobody's order.

Knows:    links, mail addresses, telephone and card numbers, postcodes and house numbers beside the words
          and signs that show them.
Does not: know a number that stands alone: 10115 before a city's name may be an order before a sentence.
"""

import re

_PHONE = "phone|telephone|tel|mobile|cell|whatsapp|teléfono|móvil|телефон|тел|هاتف|جوال|फ़ोन|फोन|मोबाइल"
_POSTCODE = r"zip(?:\scode)?|zipcode|post(?:al\s)?code|plz|código\spostal|индекс|الرمز\sالبريدي|पिन(?:\sकोड)?"
_IS = r"(?:[\s.:]{0,3}(?:numbers?|no|nr|is|número|es|номер|رقم|नंबर)(?!\w)){0,2}[\s.:]{0,3}"

_STATE = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ALN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]"
    "|OH|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
)
"""The states of the USA, but for those that are also a word: ID, OK, OR."""

STREET_AFTER = r"str(?:eet)?|st|ave(?:nue)?|r(?:oa)?d|drive|dr|lane|ln|blvd|boulevard|highway|hwy"
STREET_BEFORE = r"calle|avenida|paseo|rue|улица|ул|проспект|шоссе|شارع"

ADDRESS = re.compile(
    rf"""
      \b[a-z][a-z0-9+.-]{{1,20}}://\S+ | \bwww\.\S+                           # links
    | (?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}})+              # mail addresses
    | (?<![\w+])\+\d[\d\ ()./-]{{5,20}}\d\b                                  # telephone numbers
    | (?<!\w)(?:{_PHONE}){_IS}\d[\d\ ()./-]{{5,20}}\d\b
    | (?<![\w-])(?:\d{{4}}[\ -]){{3}}\d{{1,7}}\b                               # card numbers
    | (?<!\w)(?:{_POSTCODE}){_IS}\d{{4,6}}\b                                   # postcodes
    | (?<!\w)(?-i:[A-Z][a-z]+,?\s(?:{_STATE})),?\s\d{{5}}\b
    | (?<![\w#-])\d{{1,5}}\s(?-i:[A-Z][a-z]+)\s(?:{STREET_AFTER})\b          # house numbers
    | (?<!\w)[^\W\d_]{{3,20}}(?:straße|strasse|str\.)\s\d{{1,4}}[a-z]?(?:,?\s\d{{5}}\b)?
    | (?<!\w)(?:{STREET_BEFORE})\.?\s[^\d,;.!?\n]{{2,30}},?\s(?:д\.\s?)?\d{{1,4}}[a-z]?(?:,?\s\d{{5,6}}\b)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
