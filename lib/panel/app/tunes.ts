/** The sounds of notifications. They are synthesized: the server has no files for them. */

/** Half tones above A4. */
const SCALE = [0, 2, 4, 7, 9, 12, 14, 16];
const WAVES = ['sine', 'triangle', 'square'] as const;
/** Seconds. */
const NOTE_SECONDS = 0.14;
const VOLUME = 0.12;

let audio: AudioContext | undefined;

interface Note {
  /** Hertz. */
  readonly pitch: number;
  /** Seconds after the first. */
  readonly at: number;
}

/** Two or three notes, others for each name. */
export function tuneOf(name: string): { readonly wave: OscillatorType; readonly notes: readonly Note[] } {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  const notes = Array.from({ length: 2 + (hash % 2) }, (_, index) => ({
    pitch: 440 * 2 ** ((SCALE[(hash >>> (3 * index + 1)) % SCALE.length] ?? 0) / 12),
    at: index * NOTE_SECONDS,
  }));
  return { wave: WAVES[(hash >>> 12) % WAVES.length] ?? 'sine', notes };
}

/** Silent where the browser has no audio, or the user has not used the page yet. */
export function play(name: string): void {
  if (name === 'none' || !('AudioContext' in globalThis)) return;
  audio ??= new AudioContext();
  void audio.resume();
  const { wave, notes } = tuneOf(name);
  for (const { pitch, at } of notes) {
    const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + at;
    oscillator.type = wave;
    oscillator.frequency.value = pitch;
    gain.gain.setValueAtTime(VOLUME, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 2 * NOTE_SECONDS);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + 2 * NOTE_SECONDS);
  }
}
