/** `parlance/panel`: the element `<parlance-panel>`. Importing the module registers it. */
import { render } from 'preact';
import contentStyle from './content.css';

const NAME = 'parlance-panel';

/** Where there is no DOM, such as on a server, the module only has to load. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** A chat in a page. */
export class ParlancePanel extends Base {
  readonly #root = this.attachShadow({ mode: 'open' });

  /** Shows the chat. */
  connectedCallback(): void {
    const style = new CSSStyleSheet();
    style.replaceSync(contentStyle);
    this.#root.adoptedStyleSheets = [style];
    render(<main aria-label="Chat" />, this.#root);
  }

  /** Removes it and ends its requests. */
  disconnectedCallback(): void {
    render(null, this.#root);
  }
}

if (globalThis.customElements && !customElements.get(NAME)) customElements.define(NAME, ParlancePanel);

declare global {
  interface HTMLElementTagNameMap {
    'parlance-panel': ParlancePanel;
  }
}
