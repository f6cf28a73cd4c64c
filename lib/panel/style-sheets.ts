/** The style sheets of the panel, shared by all panels of a page. */
import appControls from './app/controls.css';
import appLayout from './app/layout.css';
import appPages from './app/pages.css';
import composer from './composer/composer.css';
import content from './content.css';
import dialog from './dialog.css';
import messages from './messages/messages.css';
import theme from './theme.css';

const TEXTS = [theme, content, messages, composer, dialog, appControls, appLayout, appPages];

let sheets: CSSStyleSheet[] | undefined;

/** Constructed style sheets are allowed by `style-src 'self'`, unlike `<style>`. */
export function styleSheets(): CSSStyleSheet[] {
  sheets ??= TEXTS.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  return sheets;
}
