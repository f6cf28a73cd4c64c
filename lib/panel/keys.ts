/** Keys that belong to the element with the focus. */

/** Whether the element uses keys itself: the user types in it, or it is a player. */
export const usesKeys = (target: EventTarget | null | undefined): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable], audio, video');

/** Keys that do not change a text: the page may use them, to close a drawer for example. */
const NOT_TYPED = /^(Escape|Tab|F\d+)$/;

/**
 * Keeps what the user types in a field of the panel from the shortcuts of the page. Outside of the shadow root, the target
 * of the event is the panel, so the page cannot see that it comes from a field. Ctrl and Meta with a key pass: they are
 * shortcuts in fields too, except where AltGr types a character.
 */
export function keepTyping(root: ShadowRoot): void {
  const stop = (event: Event) => {
    const { target, key, ctrlKey, metaKey } = event as KeyboardEvent;
    const isShortcut = (ctrlKey || metaKey) && !(event as KeyboardEvent).getModifierState('AltGraph');
    // Content of slots is part of the page.
    if (usesKeys(target) && root.contains(target) && !isShortcut && !NOT_TYPED.test(key)) event.stopPropagation();
  };
  for (const type of ['keydown', 'keypress', 'keyup']) root.addEventListener(type, stop);
}
