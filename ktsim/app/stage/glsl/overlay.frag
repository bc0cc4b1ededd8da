#version 150
// Drawn over the finished picture; what stands behind the scene is ghosted instead of lost. With insists below -1 it is
// drawn there only.
uniform sampler2D depth_texture;
uniform vec2 texel;
uniform float ghost, bias, insists;
in vec4 colour;
out vec4 result;
void main() {
    float scene = texture(depth_texture, gl_FragCoord.xy * texel).r;
    float behind = insists < -1. ? 1. : insists < 0. ? 0. : max(ghost, insists);
    result = vec4(colour.rgb, colour.a * (gl_FragCoord.z > scene + bias ? behind : insists < -1. ? 0. : 1.));
}
