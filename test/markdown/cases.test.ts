import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { strictHtml } from '../../lib/markdown/html.ts';
import { renderMessage } from '../../lib/markdown/render.ts';
import { STRICT, violations } from './allowed.ts';
import { ALL_CASES } from './cases/index.ts';

for (const [subject, cases] of Object.entries(ALL_CASES)) {
  describe(`Markdown: ${subject}`, () => {
    for (const { name, input, data, html } of cases) {
      it(`${subject}: ${name}`, () => {
        const rendered = renderMessage(input, data).html;
        assert.equal(rendered, html);
        assert.deepEqual(violations(rendered), []);
        assert.deepEqual(violations(strictHtml(rendered), STRICT), []);
      });
    }
  });
}

describe('Markdown: the tables of cases', () => {
  it('case names are unique within their subject', () => {
    for (const cases of Object.values(ALL_CASES)) {
      assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
    }
  });
});
