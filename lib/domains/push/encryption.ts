type Sodium = typeof import('libsodium-wrappers')['default'];

const KEY_BYTES = 32;

let loading: Promise<Sodium> | undefined;

/** Loads the library on first use. */
async function sodium(): Promise<Sodium> {
  loading ??= import('libsodium-wrappers').then(async ({ default: loaded }) => {
    await loaded.ready;
    return loaded;
  });
  return loading;
}

/** Encrypts a text, in base64, for the holder of the private key. Undefined if the public key is invalid. */
export type Encrypt = (text: string, publicKey: string) => string | undefined;

/** Uses libsodium's sealed boxes, the format of existing clients. */
export async function loadEncryption(): Promise<Encrypt> {
  const { crypto_box_seal } = await sodium();
  return (text, publicKey) => {
    const key = bytesOf(publicKey);
    if (key === undefined) return undefined;
    try {
      return Buffer.from(crypto_box_seal(text, key)).toString('base64');
    } catch {
      // The key has the right length but is not a usable point of the curve.
      return undefined;
    }
  };
}

export async function isUsableKey(publicKey: string): Promise<boolean> {
  return (await loadEncryption())('', publicKey) !== undefined;
}

/** Accepts only standard base64, because Buffer ignores invalid characters. */
function bytesOf(key: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(key)) return undefined;
  const bytes = Buffer.from(key, 'base64');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}
