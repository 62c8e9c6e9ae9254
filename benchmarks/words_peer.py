"""Run by benchmarks/words.py in an environment of its own: the words heard in each recording of a folder, of those given."""

import json
import sys
import wave
from math import log10
from pathlib import Path

from pocketsphinx import Decoder

folder, known = Path(sys.argv[1]), sys.argv[2:]
decoder = Decoder(samprate=16_000, loglevel="FATAL")
words = [word for word in known if decoder.lookup_word(word)]
likely = f"{-log10(len(words) + 1):.4f}"  # any word after any other
lines = [f"{likely} {word} 0" for word in ("<s>", "</s>", *words)]
arpa = folder / "known.lm"
arpa.write_text("\n".join(["\\data\\", f"ngram 1={len(lines)}", "", "\\1-grams:", *lines, "", "\\end\\", ""]))
decoder.add_lm_file("known", str(arpa))
decoder.activate_search("known")
heard = {}
for path in sorted(folder.glob("*.*.wav")):
    with wave.open(str(path)) as file:
        decoder.start_utt()
        decoder.process_raw(file.readframes(file.getnframes()), full_utt=True)
        decoder.end_utt()
    heard[path.stem] = decoder.hyp().hypstr if decoder.hyp() else ""
print(json.dumps(heard))
