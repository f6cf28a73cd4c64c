import fc from 'fast-check';

/** fast-check takes a second of processor time to build its own unit `binary`. */
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));

/** Any text without lone surrogates. */
export const anyText = (limits: { maxLength?: number } = {}) => fc.string({ ...limits, unit: codePoint });
