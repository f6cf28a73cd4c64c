import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePanel } from '../context.ts';

/** Degrees between the hues of initials. */
const HUE_STEP = 45;

interface AvatarProps {
  userId: number;
  name: string;
  url: string | null | undefined;
}

/** The picture of a user, or initials. Pictures of other sites are not loaded: they would see who reads. */
export function Avatar({ userId, name, url }: AvatarProps): VNode {
  const { site } = usePanel();
  const [failed, setFailed] = useState<string>();
  const address = url && new URL(url, `${site}/`);
  if (address && address.origin === new URL(site).origin && address.href !== failed)
    return (
      <img
        class="avatar"
        part="avatar"
        src={address.href}
        alt=""
        loading="lazy"
        onError={() => setFailed(address.href)}
      />
    );
  return (
    <span class="avatar initials" style={{ '--hue': (userId * HUE_STEP) % 360 }} part="avatar" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/, 10).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
