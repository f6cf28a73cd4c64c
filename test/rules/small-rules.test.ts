import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockDifference } from '../../lib/rules/clock-difference.ts';
import { domainKey, emailKey, foldSearch, nameKey } from '../../lib/rules/fold.ts';
import { isWithin, organizationPermission, organizationSetting } from '../../lib/rules/organization-settings.ts';
import { checkPassword } from '../../lib/rules/passwords.ts';
import { isPublicAddress, isReachableHost, networkIn, reachableAddresses } from '../../lib/rules/public-addresses.ts';
import { checkCompleteOrder } from '../../lib/rules/reordering.ts';
import { roleName, systemGroupId, systemGroupLabel, withArticle } from '../../lib/rules/roles.ts';
import { organization } from './accounts.ts';

test('a message is within a limit up to its last second, and null means no limit', () => {
  for (const [limit, age, isIn] of [
    [600, 599, true],
    [600, 600, true],
    [600, 600.001, false],
    [0, 0, true],
    [0, 1, false],
    [null, 1e9, true],
  ] as const)
    assert.equal(isWithin(limit, 1_000, (1_000 + age) * 1000), isIn, `${limit} ${age}`);
});

test('a stored setting counts, also if it is null, and other settings have their defaults', () => {
  assert.equal(organizationSetting(organization(), 'message_content_edit_limit_seconds'), 600);
  const stored = organization({
    message_content_edit_limit_seconds: null,
    require_unique_names: true,
    can_invite_users_group: 4,
  });
  assert.equal(organizationSetting(stored, 'message_content_edit_limit_seconds'), null);
  assert.equal(organizationSetting(stored, 'require_unique_names'), true);
  assert.equal(organizationPermission(stored, 'can_invite_users_group'), 4);
  assert.equal(organizationPermission(organization(), 'can_access_all_users_group'), systemGroupId('role:everyone'));
});

test('an order is valid only with every ID exactly once', () => {
  checkCompleteOrder([3, 1, 2], [1, 2, 3]);
  checkCompleteOrder([], []);
  for (const order of [[1, 2], [1, 2, 3, 4], [1, 2, 2], [1, 2, 3, 3], [1, 2, 4], []])
    assert.throws(() => checkCompleteOrder(order, [1, 2, 3]), { code: 'BAD_REQUEST' }, String(order));
});

test('a password has 8 characters, several different ones, and is not the name or address', () => {
  const account = { email: 'Ada.Lovelace@example.com', full_name: 'Augusta Ada' };
  for (const password of ['12345678', 'aaaaaaab', 'ada.lovelace1', '🎭🎭🎭🎭🎭🎭🎭a', 'example.com'])
    checkPassword(password, account);
  for (const password of [
    ...['', '1234567', '🎭🎭🎭🎭', 'aaaaaaaa', '🎭🎭🎭🎭🎭🎭🎭🎭', 'Åbcdef1'],
    ...['ada.lovelace@EXAMPLE.com', 'ADA.lovelace', ' augusta ADA '],
  ])
    assert.throws(() => checkPassword(password, account), { code: 'PASSWORD_TOO_WEAK' }, password);
});

test('only addresses of the public internet are public', () => {
  const others = [
    ...[
      '10.0.0.1',
      '127.0.0.1',
      '127.1',
      '169.254.1.1',
      '172.16.0.1',
      '192.168.0.1',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
    ],
    ...[
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'ff02::1',
      '::ffff:10.0.0.1',
      '4000::1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '',
    ],
    'example.com',
  ];
  for (const address of ['93.184.216.34', '172.32.0.1', '2606:4700::1111'])
    assert.ok(isPublicAddress(address), address);
  for (const address of others) assert.equal(isPublicAddress(address), false, address);
});

test('a private address can be called if one of the networks contains it', () => {
  const mayCall = reachableAddresses(['10.1.0.0/16', ' 192.168.7.7 ', 'fd00::/8']);
  for (const [address, isReachable] of [
    ...(['10.1.0.0', '10.1.255.255', '192.168.7.7', 'fd12::1', '::ffff:10.1.2.3', '93.184.216.34'] as const).map(
      (one) => [one, true] as const,
    ),
    ...(['10.2.0.0', '10.0.255.255', '192.168.7.8', 'fe80::1', '::ffff:10.2.2.3', '127.0.0.1'] as const).map(
      (one) => [one, false] as const,
    ),
  ])
    assert.equal(mayCall(address), isReachable, address);
  assert.equal(reachableAddresses(true)('127.0.0.1'), true);
  assert.equal(reachableAddresses(false)('127.0.0.1'), false);
  for (const text of ['10.1.0.0/33', '10.1', 'example.com', '10.1.0.0/x', '']) {
    assert.equal(networkIn(text), undefined, text);
    assert.throws(() => reachableAddresses([text]), RangeError, text);
  }
});

test('names of this machine and private addresses in URLs cannot be called', () => {
  for (const [host, networks, isReachable] of [
    ['example.com', false, true],
    ['localhost.example.com', false, true],
    ...(['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '[::1]', '[fd00::1]', '10.0.0.1.'] as const).map(
      (one) => [one, false, false] as const,
    ),
    ['localhost', ['127.0.0.0/8'], true],
    ['localhost', ['::1'], true],
    ['localhost', ['10.0.0.0/8'], false],
    ['[fd00::1]', ['fd00::/8'], true],
    ['localhost', true, true],
  ] as const)
    assert.equal(isReachableHost(host, networks), isReachable, `${host} ${networks}`);
});

test('addresses, domains, names and searched texts have one form for comparing', () => {
  for (const [fold, same, other] of [
    [emailKey, [' Ada@Example.com ', 'ada@example.com'], 'ada@example.org'],
    [emailKey, ['a@bücher.example', 'A@BÜCHER.example', 'a@xn--bcher-kva.example'], 'a@bucher.example'],
    [emailKey, ['"a@b"@example.com', '"A@B"@example.com'], 'b@example.com'],
    [domainKey, ['Bücher.example', 'xn--bcher-kva.EXAMPLE'], 'bucher.example'],
    [nameKey, [' Ａda ', 'ada'], 'adá'],
    [foldSearch, ['É', 'e\u0301'], 'e'],
    [foldSearch, ['ΟΔΟΣ', 'οδος', 'οδοσ'], 'οδοι'],
  ] as const) {
    assert.equal(new Set(same.map(fold)).size, 1, same.join());
    assert.notEqual(fold(other), fold(same[0]), other);
  }
});

test('roles and system groups have names', () => {
  assert.deepEqual([100, 200, 300, 400, 600, 500].map(roleName), [
    'owner',
    'administrator',
    'moderator',
    'member',
    'guest',
    '500',
  ]);
  assert.deepEqual(([100, 200, 300, 400, 600] as const).map(withArticle), [
    'an owner',
    'an administrator',
    'a moderator',
    'a member',
    'a guest',
  ]);
  assert.equal(systemGroupLabel(systemGroupId('role:fullmembers')), 'Full members');
  assert.equal(systemGroupLabel(systemGroupId('role:internet')), 'Everyone on the internet');
  assert.equal(systemGroupLabel(9), undefined);
});

test('a clock may differ by 5 seconds', () => {
  assert.deepEqual([5_000, -5_000, 5_001, -60_400].map(clockDifference), [
    undefined,
    undefined,
    "5 s behind the database's",
    "60 s ahead of the database's",
  ]);
});
