import { crc32, deflateSync } from 'node:zlib';

/** Cells per side. The pattern is symmetric. */
const CELLS_PER_SIDE = 5;
const HALF = Math.ceil(CELLS_PER_SIDE / 2);

/**
 * The default avatar: a pattern of squares and a colour, both from the seed. PNG, because some clients do not show SVG.
 * @param seed hexadecimal digits, at least eight
 * @param size width and height in pixels
 */
export function identicon(seed: string, size: number): Buffer {
  const bits = Number.parseInt(seed.slice(0, 4), 16);
  const hue = Number.parseInt(seed.slice(4, 8), 16) % 360;
  const isFilled = (row: number, column: number) => {
    const half = Math.min(column, CELLS_PER_SIDE - 1 - column);
    // If no other bit is set, the spare bit fills the middle cell.
    return ((bits >> (row * HALF + half)) & 1) === 1 || (bits % 0x8000 === 0 && row === 2 && half === 2);
  };
  const cell = Math.floor(size / (CELLS_PER_SIDE + 1));
  const margin = (size - cell * CELLS_PER_SIDE) / 2;
  const rowBytes = 1 + Math.ceil(size / 8);
  const pixels = Buffer.alloc(rowBytes * size);
  for (let y = 0; y < size; y++) {
    const row = Math.floor((y - margin) / cell);
    if (row < 0 || row >= CELLS_PER_SIDE) continue;
    for (let x = 0; x < size; x++) {
      const column = Math.floor((x - margin) / cell);
      if (column < 0 || column >= CELLS_PER_SIDE || !isFilled(row, column)) continue;
      // The first byte of each row is the filter type (none).
      const at = y * rowBytes + 1 + (x >> 3);
      pixels[at] = (pixels[at] as number) | (0x80 >> (x & 7));
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  // 1 bit per pixel, with a palette.
  head.set([1, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from([...rgb(hue, 0.45, 0.92), ...rgb(hue, 0.5, 0.42)])),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** @param hue degrees */
function rgb(hue: number, saturation: number, lightness: number): number[] {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}
