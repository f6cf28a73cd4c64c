import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../server/pages/html.ts';

test('a part that is false or missing adds nothing to a page, and text is escaped', () => {
  const isWrong = false;
  assert.equal(
    html`<p>${isWrong && html`<b>wrong</b>`}${undefined}${'<a> & "b"'}${[html`<i>x</i>`, 0]}</p>`.text,
    '<p>&#60;a&#62; &#38; &#34;b&#34;<i>x</i>0</p>',
  );
});
