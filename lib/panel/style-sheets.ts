/** The style sheets of the panel, shared by all panels of a page. */
import content from './content.css';
import messages from './messages/messages.css';
import theme from './theme.css';

const texts = [theme, content, messages];
const sheets: CSSStyleSheet[] = [];

/** For a part with a file of its own, when that file is loaded. Several parts may share a sheet. */
export function addStyles(...added: readonly string[]): void {
  texts.push(...added.filter((text) => !texts.includes(text)));
}

/** Gives a panel all styles of the loaded files. `style-src 'self'` allows constructed style sheets, unlike `<style>`. */
export function adoptStyles(root: ShadowRoot | null): void {
  if (!root || root.adoptedStyleSheets.length === texts.length) return;
  for (const text of texts.slice(sheets.length)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.push(sheet);
  }
  root.adoptedStyleSheets = sheets;
}
