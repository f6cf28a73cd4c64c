import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateVariables } from '../../../lib/domains/organization/url-templates.ts';

test('the variables of a URL template are told, whatever their form', () => {
  assert.deepEqual(templateVariables('https://a.example/'), []);
  assert.deepEqual(templateVariables('https://a.example/{id}'), ['id']);
  assert.deepEqual(templateVariables('{+path,parts}{?q}%20{#end}'), ['path', 'parts', 'q', 'end']);
});

test('what is no template of RFC 6570 is told apart', () => {
  const wrong = ['{', '}', '{a}}', '{{a}}', '{}', '{a b}', '{!a}', '{a:}', '{a:99999}', '%zz', '%', 'a%2'];
  for (const template of wrong) assert.equal(templateVariables(template), undefined, template);
});

test('variables are inserted whole: none is cut or spread', () => {
  for (const template of ['{code:3}', '{code*}', '{?code:9999}', '{/code*}']) {
    assert.equal(templateVariables(`https://a.example/${template}`), undefined, template);
  }
});

test('where clients insert the variables, a template may cut or spread them', () => {
  for (const template of ['{code:3}', '{code*}', '{?code:9999}', '{/code*}']) {
    assert.deepEqual(templateVariables(`https://a.example/${template}`, { modifiers: true }), ['code'], template);
  }
  for (const template of ['{code:}', '{code:0}', '{code:01}', '{code:10000}', '{code:3*}', '{code**}']) {
    assert.equal(templateVariables(`https://a.example/${template}`, { modifiers: true }), undefined, template);
  }
});

test('signs that no address has must be written with a percent sign', () => {
  for (const sign of ['<', '>', '"', ' ', '^', '`', '|', '\\', '\n', '\u007f']) {
    assert.equal(templateVariables(`https://a.example/${sign}{code}`), undefined, JSON.stringify(sign));
  }
  assert.deepEqual(templateVariables("https://a.example/it's/%3C/ü/{code}"), ['code']);
});
