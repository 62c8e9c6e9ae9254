"""Run by benchmarks/words.py in an environment of its own: the words heard in each recording of a folder, of those given."""

import json
import sys
import wave
from pathlib import Path

from pocketsphinx import Decoder

folder, known = Path(sys.argv[1]), sys.argv[2:]
decoder = Decoder(samprate=16_000, loglevel="FATAL")
words = " | ".join(word for word in known if decoder.lookup_word(word))
decoder.add_jsgf_string("known", f"#JSGF V1.0;\ngrammar known;\npublic <said> = ({words})+;\n")
decoder.activate_search("known")
heard = {}
for path in sorted(folder.glob("*.*.wav")):
    with wave.open(str(path)) as file:
        decoder.start_utt()
        decoder.process_raw(file.readframes(file.getnframes()), full_utt=True)
        decoder.end_utt()
    heard[path.stem] = decoder.hyp().hypstr if decoder.hyp() else ""
print(json.dumps(heard))
