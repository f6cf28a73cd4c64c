import { defineFeature } from '../../../operation/feature.ts';
import { closeRoom } from './close.ts';
import { ensureRoom } from './ensure.ts';

/**
 * Rooms: private conversations of a program's customers with its staff. A room is an ordinary private channel with one
 * topic. The program alone decides who is in it.
 */
export const rooms = defineFeature({ operations: [ensureRoom, closeRoom] });
