// Reported speech: tuples with a speaker and a verb of saying.
import { Component as Tuples } from './task-tuples.js';
export { show } from './task-tuples.js';

export class Component extends Tuples { static must = ['speaker', 'verb']; }
