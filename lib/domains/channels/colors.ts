/** Default colours of new subscriptions. The channel ID selects the colour, so all users start with the same colour. */
const COLORS = [
  0x76ce90, 0xfae589, 0xa6c7e5, 0xe79ab5, 0xbfd56f, 0xf4ae55, 0xb0a5fd, 0xaddfe5, 0xf5ce6e, 0xc2726a, 0x94c849,
  0xbd86e5, 0xee7e4a, 0xa6dcbf, 0x95a5fd, 0x53a063, 0x9987e1, 0xe4523d, 0xc2c2c2, 0x4f8de4, 0xc6a8ad, 0xe7cc4d,
  0xc8bebf, 0xa47462,
];

export function channelColor(channelId: number): string {
  return `#${(COLORS[channelId % COLORS.length] as number).toString(16)}`;
}

/** Colours as users and older clients write them. */
export const COLOR_PATTERN = /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

/** Expands `#abc` to six digits, in lower case. Clients accept no other form. */
export function fullColor(given: string): string {
  const hex = given.slice(1).toLowerCase();
  return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`;
}
