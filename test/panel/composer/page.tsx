/** The page of the tests of the composer: a composer and the field of an edited message, on the store of a server. */
import { render } from 'preact';
import { connect } from '../../../lib/client/browser.ts';
import { createChatStore } from '../../../lib/client/store/chat-store.ts';
import type { Place } from '../../../lib/client/store/types.ts';
import composer from '../../../lib/panel/composer/composer.css';
import { Composer } from '../../../lib/panel/composer/composer.tsx';
import { EditMessage } from '../../../lib/panel/composer/edit-message.tsx';
import content from '../../../lib/panel/content.css';
import { type Panel, PanelContext } from '../../../lib/panel/context.ts';
import { formatsOf } from '../../../lib/panel/formats.ts';
import messages from '../../../lib/panel/messages/messages.css';
import theme from '../../../lib/panel/theme.css';
import { CONVERSATION_WORDS } from '../../../lib/panel/words/conversation-words.ts';

const host = document.querySelector('#panel') as HTMLElement;
const root = host.attachShadow({ mode: 'open' });
root.adoptedStyleSheets = [theme, content, messages, composer].map((text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
});
const box = document.createElement('div');
root.append(box);
const store = createChatStore(connect({ site: location.origin }), { site: location.origin });
const announced: string[] = [];
const violations: string[] = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  violations.push(`${violatedDirective} ${blockedURI}`);
});

const panel: Panel = {
  store,
  words: CONVERSATION_WORDS,
  formats: formatsOf('en'),
  host,
  site: location.origin,
  isReadonly: false,
  enterSends: undefined,
  loadsExternal: true,
  hidden: new Set(),
  navigate() {},
  announce: (text) => void announced.push(text),
  announceMessage: (text) => void announced.push(text),
  connections: 1,
  early: {},
  dispatch: () => true,
};

/** For the list of suggestions, which opens above the field. Parts that load replace the style sheets. */
function makeSpace(element: HTMLElement | null): void {
  if (element) element.style.blockSize = '400px';
}

function compose(place: Place, { dir = 'ltr' } = {}): void {
  box.dir = dir;
  render(
    <PanelContext.Provider value={panel}>
      <div ref={makeSpace} />
      <Composer place={place} label="Message" />
    </PanelContext.Provider>,
    box,
  );
}

async function edit(id: number): Promise<void> {
  const list = store.messages.open({ view: 'all' }, id);
  await new Promise<void>((resolve) => {
    const stop = list.state.subscribe(({ messages: shown }) => {
      const message = shown.find((one) => one.id === id);
      if (!message) return;
      queueMicrotask(() => stop());
      const onClose = () => render(null, box);
      render(
        <PanelContext.Provider value={panel}>
          <EditMessage message={message} onClose={onClose} />
        </PanelContext.Provider>,
        box,
      );
      resolve();
    });
  });
}

store.start();
const stop = store.status.subscribe(({ state }) => {
  if (state !== 'live') return;
  Object.assign(globalThis, { compose, edit, store, announced, violations, root, isReady: true });
  queueMicrotask(() => stop());
});
