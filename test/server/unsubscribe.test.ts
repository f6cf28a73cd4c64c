import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EmailKind, unsubscribeToken } from '../../lib/domains/notifications/email/unsubscribe-token.ts';
import { transportOf } from '../../lib/internal.ts';
import type { Organization } from '../../lib/model/organization.ts';
import { type Running, running } from './running.ts';

const organizationOf = ({ chat }: Running) =>
  transportOf(chat).engine.storage.read(async (tx) => (await tx.organization.get()) as Organization);

const pageOf = async (server: Running, kind: EmailKind) =>
  `/accounts/unsubscribe/${unsubscribeToken(await organizationOf(server), server.owner.user_id, kind)}/`;

const isOn = async ({ chat, owner }: Running) => {
  const { user_settings } = await chat.as(owner.user_id).register({ fetch_event_types: ['user_settings'] });
  return user_settings?.enable_offline_email_notifications;
};

/** What a mail program sends: RFC 8058. */
const ONE_CLICK = { 'List-Unsubscribe': 'One-Click' };

test('the page of an e-mail turns off e-mails of its kind on one click without login, and undoes it', async (t) => {
  const server = await running(t);
  const page = await pageOf(server, 'mentions');
  const shown = await server.send('GET', page, { auth: null });
  assert.equal(shown.status, 200);
  assert.match(shown.text, /<button type="submit">Stop these e-mails<\/button>/);
  assert.equal(await isOn(server), true, 'showing the page changes nothing');
  const ended = await server.send('POST', page, { auth: null, form: ONE_CLICK });
  assert.equal(ended.status, 200);
  assert.match(ended.text, /You get no more e-mails about direct messages and mentions\./);
  assert.equal(await isOn(server), false);
  const undone = await server.send('POST', page, { auth: null, form: { is_undone: 'true' } });
  assert.match(undone.text, /You get e-mails about direct messages and mentions again/);
  assert.equal(await isOn(server), true);
});

test('the page of an e-mail about a channel names the channel as escaped text', async (t) => {
  const server = await running(t);
  const { user_id } = server.owner;
  const { id } = await server.chat.as(user_id).channels.create({ name: 'Tea <b>', subscribers: [user_id] });
  const ended = await server.send('POST', await pageOf(server, { channel_id: id }), { auth: null, form: ONE_CLICK });
  assert.match(ended.text, /no more e-mails about messages in <strong>#Tea &#60;b&#62;<\/strong>\./);
});

test('a token says nothing about its account, and each e-mail has another one', async (t) => {
  const server = await running(t);
  const organization = await organizationOf(server);
  const tokens = ['mentions', 'mentions', 'followed topics'].map((kind) =>
    unsubscribeToken(organization, server.owner.user_id, kind as EmailKind),
  );
  assert.equal(new Set(tokens).size, 3);
  for (const token of tokens) assert.match(token, /^[0-9a-f]{60,80}$/);
});

test('an unknown or changed token gets a page that says so', async (t) => {
  const server = await running(t);
  const page = await pageOf(server, 'mentions');
  const changed = page.replace(/(.)\/$/, (_, last) => `${last === '0' ? '1' : '0'}/`);
  for (const path of [changed, '/accounts/unsubscribe/x/', `/accounts/unsubscribe/${'0'.repeat(190)}/`]) {
    const answer = await server.send('POST', path, { auth: null, form: ONE_CLICK });
    assert.equal(answer.status, 404, path);
    assert.match(answer.text, /This link does not work/);
  }
  assert.equal(await isOn(server), true);
});
