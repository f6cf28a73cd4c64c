/**
 * Programs name themselves as others do, so the first that matches counts. Parsers from the registry know hundreds of
 * browsers and their versions; a login needs names that stay the same after an update.
 */
const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPiOS|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//],
];
const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

const nameIn = (text: string, names: readonly [name: string, sign: RegExp][]) =>
  names.find(([, sign]) => sign.test(text))?.[0];

/** `Firefox on Windows`, from the header User-Agent. undefined: another program. */
export function browserName(userAgent: string): string | undefined {
  if (!userAgent.startsWith('Mozilla/')) return undefined;
  const browser = nameIn(userAgent, BROWSERS);
  const system = nameIn(userAgent, SYSTEMS);
  return browser && system ? `${browser} on ${system}` : browser;
}
