import assert from 'node:assert/strict';
import { HtmlValidate } from 'html-validate';

/** Rules of the standard. The others are about style, or about pages with scripts. */
const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: { 'no-trailing-whitespace': 'off', 'wcag/h37': 'error' },
});

/** Fails unless the HTML of an e-mail is valid, runs nothing and loads nothing. */
export async function assertEmailHtml(html: string): Promise<void> {
  const { results } = await validator.validateString(html);
  const found = results.flatMap(({ messages }) => messages);
  assert.deepEqual(
    found.map(({ ruleId, message, line }) => `${ruleId}: ${message} (${html.split('\n')[line - 1]?.slice(0, 200)})`),
    [],
  );
  assert.doesNotMatch(
    html,
    /<(?:script|form|input|button|img|link|style|iframe|object|svg|video|audio|base|meta http)\b/i,
  );
  assert.doesNotMatch(html, /<[^>]*\s(?:on\w+|src|srcset|background|poster)=|url\(|@import|javascript:/i);
}
