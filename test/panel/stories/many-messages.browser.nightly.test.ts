import { storyOfManyMessages } from './many-messages.ts';

storyOfManyMessages(8_000);
