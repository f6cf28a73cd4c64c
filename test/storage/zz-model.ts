import assert from 'node:assert/strict';
import { engines } from '../support/engines.ts';
import { sqlite } from '../../lib/storage/sqlite.ts';
import { newUser, newChannel, organization } from '../contract/fixtures.ts';
import type { Feed, Storage } from '../../lib/storage/storage.ts';
const which = process.argv[2]!; const seed0 = Number(process.argv[3] ?? 1); const steps = Number(process.argv[4] ?? 300);
let seed = seed0; const rnd = (n: number) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) % n; };
const pick = <T,>(l: readonly T[]) => l[rnd(l.length)]!;
const some = <T,>(l: readonly T[], n: number) => [...new Set(Array.from({ length: n }, () => pick(l)))];
const place = await engines.find((e) => e.name === which)!.open();
const s: Storage = place.storage;
const U: number[] = [], C: number[] = [];
await s.write(async (tx) => { await tx.organization.create(organization());
  for (const n of ['a', 'b', 'c', 'd']) U.push((await tx.users.create(newUser(n))).id);
  for (const n of ['x', 'y', 'z']) C.push((await tx.channels.create(newChannel(n)))!); });
type M = { id: number; conv: number; channel: number | null; sender: number; rbs: boolean; parts: number[]; content: string };
const ms: M[] = []; const subs = new Map<string, { active: boolean; floor: number }>();
const periods: { u: number; c: number; am: number; tm: number | null; as: number; ts: number | null }[] = [];
const cov = new Map<number, Set<number>>(U.map((u) => [u, new Set()])); const bits = new Map<string, number>();
const evs: any[] = [];
const b = (u: number, m: number) => bits.get(u + ' ' + m) ?? 0; const setb = (u: number, m: number, v: number) => bits.set(u + ' ' + m, v);
const covered = (u: number, m: M) => { if (cov.get(u)!.has(m.id) || (m.sender === u && m.rbs)) return true; if (m.channel === null) return false; const x = subs.get(u + ' ' + m.channel); return !x?.active || m.id <= x.floor; };
const isRead = (u: number, m: M) => !(b(u, m.id) & 32) && covered(u, m);
const recvCh = (u: number, m: M) => m.channel !== null && periods.some((p) => p.u === u && p.c === m.channel && p.am < m.id && (p.tm === null || p.tm >= m.id));
const recv = (u: number, m: M) => recvCh(u, m) || m.parts.includes(u);
const cur = (u: number, m: M) => m.channel === null ? m.parts.includes(u) : !!subs.get(u + ' ' + m.channel)?.active;
const names = ['starred', 'collapsed', 'mentioned', 'wildcard_mentioned', 'has_alert_word'] as const;
const maxM = () => ms.at(-1)?.id ?? 0; const maxE = () => evs.at(-1)?.seq ?? 0;
for (let step = 0; step < steps; step++) {
  const u = pick(U); const op = rnd(12);
  if (op < 4) {
    const n = 1 + rnd(3);
    for (let i = 0; i < n; i++) {
      const sender = pick(U), rbs = rnd(3) > 0; const dm = rnd(4) === 0; const people = some([...U], 1 + rnd(3)).concat(sender); const ch = pick(C); const content = pick(['Hello', '100% sure', 'a_b', 'nothing']) + ' ' + pick(['World', 'x']);
      const m = await s.write(async (tx) => { const conv = dm ? await tx.conversations.ensureDirect(people) : await tx.conversations.ensureTopic(ch, pick(['t', 'T', 'u', 'v']));
        const id = await tx.messages.create({ conversation_id: conv.id, sender_id: sender, content, rendered_content: '', timestamp: 1, client: '', is_me_message: false, read_by_sender: rbs });
        const drafts: any[] = [{ audience: dm ? { users: conv.participants } : { channel: ch, except: rnd(3) ? undefined : [pick(U)] }, event: { type: 'message', id } }];
        if (rnd(3) === 0) drafts.push({ audience: { scope: pick(['everyone', 'members'] as const) }, event: { type: 'x' } }, { audience: { users: some(U, 2) }, event: { type: 'y' } });
        for (const l of await tx.events.append(drafts, 1)) evs.push(l);
        return { id, conv: conv.id, channel: conv.channel_id, sender, rbs, parts: conv.participants, content } as M; }, { shared: true });
      assert.ok(m.id > maxM()); ms.push(m);
    }
  } else if (op === 4) {
    const pairs = Array.from({ length: 1 + rnd(4) }, () => ({ user_id: pick(U), channel_id: pick(C), color: '#aabbcc' }));
    const got = await s.write((tx) => tx.subscriptions.add(pairs)); const want = new Set<string>();
    for (const p of pairs) { const k = p.user_id + ' ' + p.channel_id; if (subs.get(k)?.active) continue; want.add(k); subs.set(k, { active: true, floor: maxM() });
      const same = periods.find((q) => q.u === p.user_id && q.c === p.channel_id && q.as === maxE()); if (same) { same.tm = null; same.ts = null; } else periods.push({ u: p.user_id, c: p.channel_id, am: maxM(), tm: null, as: maxE(), ts: null }); }
    assert.deepEqual(got.map((p) => p.user_id + ' ' + p.channel_id).sort(), [...want].sort());
  } else if (op === 5) {
    const pairs = Array.from({ length: 1 + rnd(2) }, () => ({ user_id: pick(U), channel_id: pick(C) }));
    const got = await s.write((tx) => tx.subscriptions.remove(pairs)); const want = new Set<string>();
    for (const p of pairs) { const k = p.user_id + ' ' + p.channel_id; if (!subs.get(k)?.active) continue; want.add(k); subs.get(k)!.active = false;
      for (const q of periods) if (q.u === p.user_id && q.c === p.channel_id && q.ts === null) { q.ts = maxE(); q.tm = maxM(); } }
    assert.deepEqual(got.map((p) => p.user_id + ' ' + p.channel_id).sort(), [...want].sort());
  } else if (!ms.length) continue;
  else if (op === 6 || op === 7) {
    const ids = some(ms.map((m) => m.id), 1 + rnd(12)); const want = ids.filter((i) => !isRead(u, ms.find((m) => m.id === i)!)).sort((a, c) => a - c);
    const got = await s.write((tx) => tx.readState.markRead(u, ids)); assert.deepEqual(got, want);
    for (const i of want) { setb(u, i, b(u, i) & ~32); const m = ms.find((x) => x.id === i)!; if (!covered(u, m)) cov.get(u)!.add(i); }
  } else if (op === 8) {
    const ids = some(ms.map((m) => m.id), 1 + rnd(4)); const want = ids.filter((i) => { const m = ms.find((x) => x.id === i)!; return isRead(u, m) && (recv(u, m) || cur(u, m)); }).sort((a, c) => a - c);
    assert.deepEqual(await s.write((tx) => tx.readState.markUnread(u, ids)), want); for (const i of want) setb(u, i, b(u, i) | 32);
  } else if (op === 9) {
    const m = pick(ms); const upTo = rnd(2) ? m.id : pick(ms).id; await s.write((tx) => tx.readState.markConversationRead(u, m.conv, upTo));
    for (const x of ms) if (x.conv === m.conv && x.id <= upTo) { cov.get(u)!.add(x.id); setb(u, x.id, b(u, x.id) & ~32); }
  } else if (op === 10) {
    const ids = some(ms.map((m) => m.id), 1 + rnd(4)); const f = rnd(5); const on = rnd(3) > 0; const want = ids.filter((i) => !!(b(u, i) & (1 << f)) !== on).sort((a, c) => a - c);
    assert.deepEqual(await s.write((tx) => tx.readState.setFlag(u, ids, names[f]!, on)), want); for (const i of want) setb(u, i, b(u, i) ^ (1 << f));
  }
  if (!ms.length) continue;
  await s.read(async (tx) => {
    for (const v of [u, pick(U)]) {
      const flags = await tx.readState.flagsOf(v, ms.map((m) => m.id));
      for (const m of ms) { const w: string[] = []; if (isRead(v, m)) w.push('read'); names.forEach((n, i) => { if (b(v, m.id) & (1 << i)) w.push(n); }); if (m.channel !== null && !recvCh(v, m)) w.push('historical'); assert.deepEqual(flags.get(m.id), w, `flags ${v} ${m.id}`); }
      const un = ms.filter((m) => !isRead(v, m) && cur(v, m)).reverse();
      assert.deepEqual(await tx.readState.unread(v, 1000), un.map((m) => ({ id: m.id, conversation_id: m.conv, sender_id: m.sender, mentioned: !!(b(v, m.id) & 12) })));
      assert.deepEqual(await tx.messages.received(v, ms.map((m) => m.id)), ms.filter((m) => recv(v, m)).map((m) => m.id));
      assert.equal(await tx.messages.maxReceivedId(v), ms.filter((m) => recv(v, m)).at(-1)?.id ?? 0);
      const role = pick([400, 600] as const); const after = rnd(maxE() + 1); const lim = 1 + rnd(8);
      const we = evs.filter((e) => e.seq > after && !e.audience.except?.includes(v) && (e.audience.scope === 'everyone' || (e.audience.scope === 'members' && role !== 600) || e.audience.users?.includes(v) || (e.audience.channel && periods.some((p) => p.u === v && p.c === e.audience.channel && p.as < e.seq && (p.ts === null || p.ts >= e.seq))))).slice(0, lim);
      assert.deepEqual((await tx.events.forUser({ id: v, role }, after, lim)).map((e) => e.seq), we.map((e) => e.seq));
      const up = some(U, 2).flatMap((x) => some(C, 2).map((c) => ({ user_id: x, channel_id: c })));
      const wu = up.map((p) => ({ ...p, message_ids: ms.filter((m) => m.channel === p.channel_id && !isRead(p.user_id, m) && cur(p.user_id, m)).map((m) => m.id) })).filter((p) => p.message_ids.length).sort((x, y) => x.user_id - y.user_id || x.channel_id - y.channel_id);
      assert.deepEqual(await tx.readState.unreadInChannels(up), wu);
    }
    for (let k = 0; k < 8; k++) {
      const feed: Feed = { viewer: u }; const convs = [...new Set(ms.filter((m) => m.channel !== null || m.parts.includes(u)).map((m) => m.conv))]; if (!convs.length) return;
      if (rnd(3) === 0) feed.conversations = some(convs, 1 + rnd(3)); if (rnd(4) === 0) feed.channels = some(C, 1 + rnd(2)); if (rnd(4) === 0) feed.kind = pick(['direct', 'channel'] as const);
      if (rnd(4) === 0) feed.receivedOnlyIn = some(C, 1 + rnd(2)); if (rnd(4) === 0) feed.sender = pick(U); if (rnd(5) === 0) feed.words = some(['hello', '100%', 'a_b', 'world', 'axb'], 1 + rnd(2)); if (rnd(6) === 0) feed.ids = some(ms.map((m) => m.id), 6);
      if (rnd(3) === 0) { feed.flags = {}; for (const n of [...names, 'unread'] as const) if (rnd(4) === 0) feed.flags[n] = rnd(2) === 0; }
      const ok = ms.filter((m) => {
        if (feed.conversations && !feed.conversations.includes(m.conv)) return false; if (feed.channels && !(m.channel !== null && feed.channels.includes(m.channel))) return false;
        if (feed.kind === 'direct' && !(m.channel === null && m.parts.includes(u))) return false; if (feed.kind === 'channel' && m.channel === null) return false;
        if (!feed.conversations && !feed.channels && feed.kind !== 'direct' && !recv(u, m)) return false;
        if (feed.receivedOnlyIn && m.channel !== null && feed.receivedOnlyIn.includes(m.channel) && !recvCh(u, m)) return false;
        if (feed.sender !== undefined && m.sender !== feed.sender) return false; if (feed.words && !feed.words.every((w) => m.content.toLowerCase().includes(w))) return false; if (feed.ids && !feed.ids.includes(m.id)) return false;
        for (const [n, want] of Object.entries(feed.flags ?? {})) { const has = n === 'unread' ? !isRead(u, m) : !!(b(u, m.id) & (1 << names.indexOf(n as any))); if (has !== want) return false; }
        return true; }).map((m) => m.id);
      const from = rnd(maxM() + 2), lim = 1 + rnd(6);
      assert.deepEqual(await tx.messages.walk(feed, from, 'before', lim), ok.filter((i) => i < from).slice(-lim), JSON.stringify(feed));
      assert.deepEqual(await tx.messages.walk(feed, from, 'after', lim), ok.filter((i) => i > from).slice(0, lim), JSON.stringify(feed));
    }
  });
}
console.log(which, seed0, 'ok', ms.length, 'messages', evs.length, 'events');
await place.dispose();
