import { domainToASCII } from 'node:url';

/** The form for comparing names: without case, and with one spelling of letters with accents. */
export function fold(text: string): string {
  return foldTopic(text.trim());
}

/** The form for comparing e-mail addresses. `bücher.example` and `xn--bcher-kva.example` are one domain. */
export function emailKey(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return fold(address.slice(0, at)) + domainKey(address.slice(at));
}

/** The form for comparing domains: international labels in ASCII (Punycode). Empty if they are invalid. */
export function domainKey(domain: string): string {
  const folded = fold(domain);
  return /^\p{ASCII}*$/u.test(folded) ? folded : domainToASCII(folded);
}

/** The form for comparing names that must be unique: also without Unicode compatibility forms. */
export function nameKey(name: string): string {
  return fold(fold(name).normalize('NFKC'));
}

/** The form for comparing topics, which are already trimmed. */
export function foldTopic(topic: string): string {
  return topic.normalize('NFC').toLowerCase();
}

/** The form for searching texts. One spelling of letters with accents, whether typed as one character or as two. */
export function foldSearch(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}
