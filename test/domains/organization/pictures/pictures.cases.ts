import assert from 'node:assert/strict';
import sharp from 'sharp';
import { transportOf } from '../../../../lib/internal.ts';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { animatedGif, png } from '../../../world/pictures.ts';
import type { World } from '../../../world/world.ts';

const ICON = /^\/organization_pictures\/[0-9a-f]{32}\.png$/;
const LOGO = /^\/organization_pictures\/[0-9a-f]{32}\.webp$/;
const DEFAULT = /^https?:\/\/.+\/static\/organization-icon\.png$/;

const imageAt = ({ chat }: World, url: string) =>
  transportOf(chat).organizationImage(url.replace('/organization_pictures/', ''));

async function sizeOf(world: World, url: string) {
  const { width, height, format, pages } = await sharp((await imageAt(world, url))?.bytes).metadata();
  return { width, height, format, pages };
}

async function stateOf({ as }: World, user: UserName = 'guest') {
  const state = await as(user).register({ event_types: [], fetch_event_types: ['realm'] });
  return Object.fromEntries(Object.entries(state).filter(([name]) => /realm_(night_)?(icon|logo)_/.test(name)));
}

/** The address of a picture that `given` has uploaded. */
const uploadedBefore = new WeakMap<World, string>();

const uploading =
  (operation: 'uploadIcon' | 'uploadLogo', { night = false } = {}) =>
  async (world: World) => {
    const answer = await world.as('owner').organization[operation]({ file: png, ...(night && { night }) });
    uploadedBefore.set(world, String(Object.values(answer)[0]));
  };

const EVERYBODY_LEARNS = (property: string, data: object) => () => {
  const event = { type: 'realm', op: 'update_dict', property, data };
  return { guest: [event], hamlet: [event], administrator: [event] };
};

const refused = (name: string, as: UserName, file: unknown, code: string): Case => ({
  name,
  as,
  call: ['organization.uploadIcon', { file }],
  refuses: { code },
  events: () => ({ guest: [] }),
  state: async (world) => assert.equal((await stateOf(world)).realm_icon_source, 'D'),
});

const wide = async () =>
  new Blob([
    await sharp({ create: { width: 1600, height: 400, channels: 4, background: '#0000' } })
      .png()
      .toBuffer(),
  ]);

export const uploadIconCases = cases('organization.uploadIcon', [
  {
    name: 'an icon is stored as a square in two sizes, and everyone gets the event with its address',
    as: 'administrator',
    call: ['organization.uploadIcon', { file: png }],
    returns: { icon_url: ICON },
    events: EVERYBODY_LEARNS('icon', { icon_source: 'U', icon_url: ICON }),
    state: async (world, { icon_url }) => {
      const square = { format: 'png', pages: undefined };
      assert.deepEqual(await sizeOf(world, icon_url), { width: 100, height: 100, ...square });
      const medium = icon_url.replace('.png', '-medium.png');
      assert.deepEqual(await sizeOf(world, medium), { width: 500, height: 500, ...square });
      const { realm_icon_url, realm_icon_source } = await stateOf(world);
      assert.deepEqual([realm_icon_url, realm_icon_source], [icon_url, 'U']);
      assert.equal((await world.chat.anonymous().serverSettings.get()).realm_icon, icon_url);
    },
  },
  {
    name: 'a second icon has another address, and the first is no longer served',
    as: 'owner',
    given: uploading('uploadIcon'),
    call: ['organization.uploadIcon', { file: animatedGif }],
    state: async (world, { icon_url }) => {
      const former = uploadedBefore.get(world) ?? assert.fail();
      assert.notEqual(icon_url, former);
      assert.equal(await imageAt(world, former), undefined);
      assert.equal(await imageAt(world, former.replace('.png', '-medium.png')), undefined);
      assert.equal((await sizeOf(world, icon_url)).pages, undefined);
    },
  },
  refused('a moderator cannot change the icon', 'moderator', png, 'UNAUTHORIZED_PRINCIPAL'),
  refused(
    'a guest is told that they may not, and nothing about the file',
    'guest',
    new Blob(['To be']),
    'UNAUTHORIZED_PRINCIPAL',
  ),
  refused(
    'an SVG is refused as an icon',
    'administrator',
    new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'], { type: 'image/svg+xml' }),
    'BAD_IMAGE',
  ),
  refused(
    'an icon of more than 5 MiB is refused',
    'administrator',
    new Blob([Buffer.alloc(5 * 1024 * 1024 + 1)]),
    'BAD_REQUEST',
  ),
]);

export const removeIconCases = cases('organization.removeIcon', [
  {
    name: 'the default icon returns, and everyone gets the event',
    as: 'administrator',
    given: uploading('uploadIcon'),
    call: ['organization.removeIcon'],
    returns: { icon_url: DEFAULT },
    events: EVERYBODY_LEARNS('icon', { icon_source: 'D', icon_url: DEFAULT }),
    state: async (world) => assert.equal(await imageAt(world, uploadedBefore.get(world) ?? ''), undefined),
  },
  {
    name: 'removing a missing icon changes nothing and sends no event',
    as: 'administrator',
    call: ['organization.removeIcon'],
    returns: { icon_url: DEFAULT },
    events: () => ({ guest: [] }),
  },
]);

export const uploadLogoCases = cases('organization.uploadLogo', [
  {
    name: 'a logo keeps its shape in at most 800x100 pixels, and everyone gets the event',
    as: 'administrator',
    call: ['organization.uploadLogo', { file: await wide() }],
    returns: { logo_url: LOGO },
    events: EVERYBODY_LEARNS('logo', { logo_source: 'U', logo_url: LOGO }),
    state: async (world, { logo_url }) => {
      assert.deepEqual(await sizeOf(world, logo_url), { width: 400, height: 100, format: 'webp', pages: undefined });
    },
  },
  {
    name: 'the logo for dark backgrounds is a picture of its own',
    as: 'administrator',
    given: uploading('uploadLogo'),
    call: ['organization.uploadLogo', { file: await wide(), night: true }],
    events: EVERYBODY_LEARNS('night_logo', { night_logo_source: 'U', night_logo_url: LOGO }),
    state: async (world, { logo_url }) => {
      const { realm_logo_url, realm_night_logo_url, realm_icon_source } = await stateOf(world);
      assert.deepEqual(
        [realm_logo_url, realm_night_logo_url, realm_icon_source],
        [uploadedBefore.get(world), logo_url, 'D'],
      );
    },
  },
  {
    name: 'a truncated picture is refused as a logo',
    as: 'administrator',
    call: ['organization.uploadLogo', { file: png.slice(0, 60) }],
    refuses: { code: 'BAD_IMAGE' },
    events: () => ({ guest: [] }),
  },
]);

export const removeLogoCases = cases('organization.removeLogo', [
  {
    name: 'removing one logo keeps the other',
    as: 'administrator',
    given: async (world) => {
      await uploading('uploadLogo')(world);
      await uploading('uploadLogo', { night: true })(world);
    },
    call: ['organization.removeLogo'],
    returns: { logo_url: DEFAULT },
    events: EVERYBODY_LEARNS('logo', { logo_source: 'D', logo_url: DEFAULT }),
    state: async (world) => {
      const dark = uploadedBefore.get(world) ?? assert.fail();
      assert.equal((await stateOf(world)).realm_night_logo_url, dark);
      assert.ok(await imageAt(world, dark));
    },
  },
]);
