import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateVariables } from '../../../lib/domains/organization/url-templates.ts';

test('templateVariables returns the variables of a URL template in every form', () => {
  assert.deepEqual(templateVariables('https://a.example/'), []);
  assert.deepEqual(templateVariables('https://a.example/{id}'), ['id']);
  assert.deepEqual(templateVariables('{+path,parts}{?q}%20{#end}'), ['path', 'parts', 'q', 'end']);
});

test('text that is not an RFC 6570 template is refused', () => {
  const wrong = ['{', '}', '{a}}', '{{a}}', '{}', '{a b}', '{!a}', '{a:}', '{a:99999}', '%zz', '%', 'a%2'];
  for (const template of wrong) assert.equal(templateVariables(template), undefined, template);
});

test('URL templates with modifiers are refused by default', () => {
  for (const template of ['{code:3}', '{code*}', '{?code:9999}', '{/code*}']) {
    assert.equal(templateVariables(`https://a.example/${template}`), undefined, template);
  }
});

test('URL templates with valid modifiers are accepted if clients expand them', () => {
  for (const template of ['{code:3}', '{code*}', '{?code:9999}', '{/code*}']) {
    assert.deepEqual(templateVariables(`https://a.example/${template}`, { modifiers: true }), ['code'], template);
  }
  for (const template of ['{code:}', '{code:0}', '{code:01}', '{code:10000}', '{code:3*}', '{code**}']) {
    assert.equal(templateVariables(`https://a.example/${template}`, { modifiers: true }), undefined, template);
  }
});

test('characters that are invalid in URLs are refused in URL templates', () => {
  for (const sign of ['<', '>', '"', ' ', '^', '`', '|', '\\', '\n', '\u007f']) {
    assert.equal(templateVariables(`https://a.example/${sign}{code}`), undefined, JSON.stringify(sign));
  }
  assert.deepEqual(templateVariables("https://a.example/it's/%3C/ü/{code}"), ['code']);
});
