import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateVariables } from '../../../lib/domains/organization/url-templates.ts';

test('the variables of a URL template are told, whatever their form', () => {
  assert.deepEqual(templateVariables('https://a.example/'), []);
  assert.deepEqual(templateVariables('https://a.example/{id}'), ['id']);
  assert.deepEqual(templateVariables('{+path,parts*}{?q:9999}%20{#end}'), ['path', 'parts', 'q', 'end']);
});

test('what is no template of RFC 6570 is told apart', () => {
  const wrong = ['{', '}', '{a}}', '{{a}}', '{}', '{a b}', '{!a}', '{a:}', '{a:99999}', '%zz', '%', 'a%2'];
  for (const template of wrong) assert.equal(templateVariables(template), undefined, template);
});
