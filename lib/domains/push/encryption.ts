/** 32 bytes in standard base64. Buffer would ignore invalid characters. */
const KEY = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Encrypts a text, in base64, for the holder of the private key; undefined if the public key is invalid. Uses libsodium's
 * sealed boxes, the format of existing clients. Loads the library on first use.
 */
export async function loadEncryption() {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  return (text: string, publicKey: string): string | undefined => {
    if (!KEY.test(publicKey)) return undefined;
    try {
      return Buffer.from(sodium.crypto_box_seal(text, Buffer.from(publicKey, 'base64'))).toString('base64');
    } catch {
      // The key is not a usable point of the curve.
      return undefined;
    }
  };
}

export const isUsableKey = async (publicKey: string) => (await loadEncryption())('', publicKey) !== undefined;
