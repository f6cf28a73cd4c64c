type Sodium = typeof import('libsodium-wrappers')['default'];

const KEY_BYTES = 32;
/** Each takes a fraction of a millisecond, and others wait for the thread. */
const BETWEEN_PAUSES = 4;

let loading: Promise<Sodium> | undefined;

/** Loaded when something is to be encrypted for the first time. */
async function sodium(): Promise<Sodium> {
  loading ??= import('libsodium-wrappers').then(async ({ default: loaded }) => {
    await loaded.ready;
    return loaded;
  });
  return loading;
}

/** What only whoever has the private key can read, base64; undefined where the public key is none. */
export type Seal = (text: string, publicKey: string) => string | undefined;

/** Sealed boxes, as existing clients open them. */
export async function loadSeal(): Promise<Seal> {
  const { crypto_box_seal } = await sodium();
  return (text, publicKey) => {
    const key = bytesOf(publicKey);
    if (key === undefined) return undefined;
    try {
      return Buffer.from(crypto_box_seal(text, key)).toString('base64');
    } catch {
      // Of the right length, and yet no point of the curve that a secret could come of.
      return undefined;
    }
  };
}

/** Whether something can be encrypted with it. */
export async function isUsableKey(publicKey: string): Promise<boolean> {
  return (await loadSeal())('', publicKey) !== undefined;
}

/** Does something that takes long for each of them, and lets others have the thread in between. */
export async function forEachInTurns<T>(list: readonly T[], work: (one: T) => void): Promise<void> {
  for (const [at, one] of list.entries()) {
    if (at % BETWEEN_PAUSES === BETWEEN_PAUSES - 1) await new Promise(setImmediate);
    work(one);
  }
}

/** Standard base64 alone: Buffer would pass over whatever is none. */
function bytesOf(key: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key)) return undefined;
  const bytes = Buffer.from(key, 'base64');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}
