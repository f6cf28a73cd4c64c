import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a ZIP file. The other fields are for files that no good program writes. */
export interface ZipEntry {
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /** Unix mode. */
  mode?: number;
  /** Bytes that the entry says it has. */
  declaredSize?: number;
  isEncrypted?: boolean;
}

const bytesOf = (given: string | Uint8Array) => (typeof given === 'string' ? Buffer.from(given) : Buffer.from(given));

/** Writes a ZIP file in memory. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o100644, declaredSize, isEncrypted = false } of entries) {
    const [title, bytes] = [bytesOf(name), bytesOf(content)];
    const packed = deflateRawSync(bytes);
    // Flags, method, time, date, checksum, packed size, size, length of the name, length of the extra field.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 | (isEncrypted ? 1 : 0), 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declaredSize ?? bytes.length, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, title, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, title]));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}
