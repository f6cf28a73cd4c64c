/** The page of the tests of content: shows messages in a shadow root as the panel does. */

import { connect } from '../../../lib/client/browser.ts';
import { contentOf } from '../../../lib/panel/content/content.tsx';
import { type ContentActions, listenToContent } from '../../../lib/panel/content/events.tsx';
import { GRAMMAR, trustedHtml } from '../../../lib/panel/content/safe-html.ts';
import sheet from '../../../lib/panel/content.css';
import { formatsOf } from '../../../lib/panel/formats.ts';
import { CONVERSATION_WORDS } from '../../../lib/panel/words/conversation-words.ts';

const place = document.querySelector('#panel') as HTMLElement;
const root = place.attachShadow({ mode: 'open' });
const styles = new CSSStyleSheet();
styles.replaceSync(sheet);
root.adoptedStyleSheets = [styles];

const happened: string[] = [];
const violations: string[] = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
  violations.push(`${violatedDirective} ${blockedURI} ${sample}`);
});

const query = new URLSearchParams(location.search);
const site = query.get('site') ?? location.origin;
const login = { email: query.get('email') ?? '', api_key: query.get('key') ?? '' };
const note = (text: string) => void happened.push(text);
const actions: ContentActions = {
  session: connect(query.has('key') ? { site, ...login } : { site }),
  site,
  words: CONVERSATION_WORDS,
  openPlace: (fragment) => note(`open ${fragment}`),
  openUser: (id) => note(`user ${id}`),
  openGroup: (id) => note(`group ${id}`),
  openImage: (link) => note(`image ${link.href}`),
  announce: note,
};
listenToContent(root, actions);

function show(html: string, { me = 0, isMentioned = false, loadsExternal = true } = {}): void {
  const message = document.createElement('div');
  message.className = 'rendered_markdown';
  message.dir = 'auto';
  message.append(
    contentOf(html, { site, words: CONVERSATION_WORDS, formats: formatsOf('en'), me, isMentioned, loadsExternal }),
  );
  root.replaceChildren(message);
}

/** Parts of the HTML that the grammar does not have, as the browser parses it. */
function notInGrammar(html: string): string[] {
  const template = document.createElement('template');
  template.innerHTML = trustedHtml(html);
  const found: string[] = [];
  for (const element of template.content.querySelectorAll('*')) {
    // The browser adds the body of a table.
    const allowed = GRAMMAR[element.localName];
    if (!allowed) found.push(element.localName);
    for (const { name, value } of element.attributes) {
      if (name === 'style' || !allowed?.[name]?.test(value)) found.push(`${element.localName} ${name}="${value}"`);
      if (/^(href|src|data-.*url)$/.test(name) && !/^(https?:|mailto:|\/(?![/\\])|#)/i.test(value)) found.push(value);
    }
  }
  return found;
}

Object.assign(globalThis, { show, notInGrammar, happened, violations, root, isReady: true });
